"""What is kept: validated tables, names, saving and loading."""
