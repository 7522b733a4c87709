"""The memory of a kernel: its layout, and how states are encoded and decoded."""
