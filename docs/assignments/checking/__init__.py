"""What the checks of the assignments have in common, and one module for each of them."""
