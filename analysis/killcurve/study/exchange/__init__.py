"""Exchanges: one unit attacks, what is left of the other answers, exactly, over several turns."""

from killcurve.study.exchange.frames import joint, summary, swing
from killcurve.study.exchange.schedule import Side, Strike, schedule
from killcurve.study.exchange.solving import LEFT_OUT, Exchange, exchange

__all__ = [
    "LEFT_OUT",
    "Exchange",
    "Side",
    "Strike",
    "exchange",
    "joint",
    "schedule",
    "summary",
    "swing",
]
