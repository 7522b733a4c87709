"""The room for generated code: the typed core becomes Python for one configuration. Still empty.

May import `library` and everything below it; the engine and what stands on it may import this.
One module in here, and no other in the house, will be allowed to `exec`.
"""
