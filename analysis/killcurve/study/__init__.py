"""The questions: frames in, frames out."""
