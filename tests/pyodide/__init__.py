"""kbrules in Pyodide: Python compiled to WebAssembly, as a browser runs it."""
