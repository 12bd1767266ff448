//! Lines of CSV (RFC 4180) that a spreadsheet can open without running what is in them.

/// A line with its line break.
pub fn line(cells: &[&str]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| field(cell)).collect();
    format!("{}\r\n", cells.join(","))
}

fn field(cell: &str) -> String {
    // A spreadsheet would take such a cell for a formula.
    let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let neutral = if is_formula { format!("'{cell}") } else { cell.to_owned() };
    if neutral.contains([',', '"', '\r', '\n']) { format!("\"{}\"", neutral.replace('"', "\"\"")) } else { neutral }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_if_they_have_to_be() {
        assert_eq!(
            line(&["1", "", "a b", "a,b", "say \"x\"", "a\nb"]),
            "1,,a b,\"a,b\",\"say \"\"x\"\"\",\"a\nb\"\r\n"
        );
        assert_eq!(line(&[]), "\r\n");
    }

    #[test]
    fn a_cell_is_never_a_formula() {
        for cell in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"] {
            assert_eq!(line(&[cell]), format!("'{cell}\r\n"));
        }
        assert_eq!(line(&["=a,b"]), "\"'=a,b\"\r\n");
        assert_eq!(line(&["a=1"]), "a=1\r\n");
    }
}
