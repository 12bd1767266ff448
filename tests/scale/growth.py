"""How the database of an installation grows: rows and bytes of each table for a number of cases, from the rows that the
server has written to an SQLite database. The sizes are those that PostgreSQL needs for the same rows and indexes.

    python3 growth.py sealwright.db --items 12 --cases 10000000 1000000000

`--items` is the number of items of a case, if the database has not enough cases to say so. Cases come evenly in `--years`
and are kept; rows that the server deletes after some days are counted for these days.
"""

import argparse
import re
import sqlite3

# Rows that belong to an item, not to its case.
OF_ITEMS = {"items", "item_analyses", "item_tokens", "picture_hashes", "plugin_runs", "capture_records"}
# Rows that are deleted after a time: the days, by default.
KEPT_DAYS = {"webhook_attempts": 30, "events": 30, "uploads": None, "upload_pieces": 1}
# Tables that do not grow with the cases.
FIXED = re.compile(
    r"_sqlx|_head$|_turn$|^(companies|users|frames|steps|links|reports|secrets|signing_cert|published|webhooks|console_"
    r"|plugin_settings|case_word_changes|jobs|logos|sqlite_)"
)
# Rows of a case where a small database says nothing: one case in a hundred is deleted, one in five is decided on, and the
# index of words has twenty for each (docs/adr/0042-word-index.md).
ASSUMED = {"deleted_cases": 0.01, "decisions": 0.2, "case_words": 20}


def width(value):
    """The bytes of a value in a row of PostgreSQL, at most: it compresses long texts."""
    if value is None:
        return 0
    if isinstance(value, int):
        return 8
    data = len(value if isinstance(value, bytes) else value.encode())
    return data + (1 if data < 127 else 4)


def aligned(size):
    return (size + 7) // 8 * 8


def indexes(base, table):
    """The columns and the condition of each index, also of those that constraints make."""
    key = [row[1] for row in base.execute(f"pragma table_info({table})") if row[5]]
    if key and not any(row[3] == "pk" for row in base.execute(f"pragma index_list({table})")):
        yield key, "true"
    for _, name, *_ in base.execute(f"pragma index_list({table})").fetchall():
        columns = [row[2] for row in base.execute(f"pragma index_info({name})")]
        # None for the index of a constraint.
        (sql,) = base.execute("select sql from sqlite_master where name = ?", [name]).fetchone() or [None]
        condition = re.split(r"\bwhere\b", sql or "", maxsplit=1)
        yield columns, condition[1] if len(condition) > 1 else "true"


def measure(base, table):
    """Rows, bytes of a row, bytes of its entries in all indexes."""
    base.row_factory = sqlite3.Row
    rows = base.execute(f"select * from {table}").fetchall()
    base.row_factory = None
    if not rows:
        return 0, 0, 0
    # The header of a row is 24 bytes, and a pointer to it 4.
    heap = sum(28 + aligned(sum(width(value) for value in row)) for row in rows) / len(rows)
    entries = 0
    for columns, condition in indexes(base, table):
        for row in base.execute(f"select {', '.join(columns)} from {table} where {condition}"):
            entries += (12 + aligned(sum(width(value) for value in row))) / 0.9
    return len(rows), heap, entries / len(rows)


def shown(count):
    for unit in ["", " k", " M", " G", " T"]:
        if count < 1000:
            return f"{count:,.0f}{unit}" if count >= 10 or not unit else f"{count:,.1f}{unit}"
        count /= 1000
    return f"{count:,.0f} P"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database")
    parser.add_argument("--cases", type=float, nargs="+", default=[1e7, 1e9])
    parser.add_argument("--items", type=float, help="items of a case")
    parser.add_argument("--years", type=float, default=5, help="in which the cases come; they are kept longer")
    options = parser.parse_args()
    base = sqlite3.connect(f"file:{options.database}?mode=ro", uri=True)
    names = [row[0] for row in base.execute("select name from sqlite_master where type = 'table' order by name")]
    measured = {name: measure(base, name) for name in names if not FIXED.search(name)}
    cases, items = measured["cases"][0], measured["items"][0]
    of_case = options.items or items / cases
    heads = "".join(f"{shown(count) + ' cases':>15}" for count in options.cases)
    print(f"{'table':18}{'rows a case':>12}{'row':>8}{'indexes':>9}{heads}")
    lines, totals = [], [0.0] * len(options.cases)
    for name, (rows, heap, entries) in measured.items():
        if not rows:
            continue
        each = rows / items * of_case if name in OF_ITEMS else ASSUMED.get(name, rows / cases)
        days = KEPT_DAYS.get(name)
        share = 1 if days is None else min(1, days / 365.25 / options.years)
        sizes = [count * each * share * (heap + entries) for count in options.cases]
        totals = [total + size for total, size in zip(totals, sizes)]
        line = f"{name:18}{each:12.2f}{heap:6.0f} B{entries:7.0f} B"
        lines.append((sizes, line + "".join(f"{shown(size):>14}B" for size in sizes)))
    print("\n".join(line for _, line in sorted(lines, reverse=True)))
    print(f"{'all':47}" + "".join(f"{shown(total):>14}B" for total in totals))
    sizes = ("select avg(file_size) from items where file_size is not null", "select avg(size) from certificates")
    files, pdfs = (base.execute(sql).fetchone()[0] or 0 for sql in sizes)
    print(f"files: {shown(files)}B each; certificates: {shown(pdfs)}B each")


if __name__ == "__main__":
    main()
