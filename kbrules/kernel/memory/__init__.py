"""The memory of a kernel: where what is kept, and how states are written there and read."""
