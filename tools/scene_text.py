"""How the scripts beside this one write scenes."""

import json


def text(tree):
    """JSON with one object or control per line"""
    lines = []
    for key, value in tree.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            items = ",\n    ".join(json.dumps(v) for v in value)
            lines.append(f'  "{key}": [\n    {items}\n  ]')
        else:
            lines.append(f'  "{key}": {json.dumps(value)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"
