//! Catalogs of graphs to measure, as `bench-graphs/README.md` describes them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use serde::Deserialize;

/// The folder beside the catalog into which `scripts/fetch-graphs` downloads graphs.
const DOWNLOADS: &str = "downloads";

/// An entry of a catalog, with the fields that measuring needs.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Entry {
    /// Name for `scripts/fetch-graphs`.
    pub name: String,
    /// File name in the folder of downloads.
    pub file: String,
    /// Whether its collection declares the graph directed.
    pub directed: bool,
}

/// A catalog.
#[derive(Debug, Clone, Deserialize)]
pub struct Catalog {
    /// The graphs, in the order of the file.
    pub graphs: Vec<Entry>,
}

impl Catalog {
    /// Reads a catalog.
    ///
    /// # Errors
    /// The file cannot be read, is not a catalog, or has a file name that leads out of the folder
    /// of downloads. The message is one line.
    pub fn read(path: &Path) -> Result<Catalog> {
        let shown = path.display();
        let text = fs::read_to_string(path).with_context(|| format!("{shown}: cannot be read"))?;
        let other = |reason| anyhow!("{shown}: is not a catalog of graphs: {reason}");
        let catalog = serde_json::from_str(&text);
        let catalog: Catalog = catalog.map_err(|error| other(error.to_string()))?;
        let odd = |entry: &&Entry| entry.file.contains('/') || entry.file.starts_with('.');
        if let Some(Entry { name, file, .. }) = catalog.graphs.iter().find(odd) {
            return Err(other(format!("{name}: {file} is not a plain file name")));
        }
        Ok(catalog)
    }

    /// Returns the entry of this name.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.graphs.iter().find(|entry| entry.name == name)
    }
}

/// Returns the default folder of the graphs of the catalog at `path`.
pub fn downloads(path: &Path) -> PathBuf {
    path.with_file_name(DOWNLOADS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Catalog> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("catalog.json");
        fs::write(&path, text).expect("a new file");
        Catalog::read(&path)
    }

    #[test]
    fn the_shipped_catalog_is_read() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench-graphs/catalog.json");
        let catalog = Catalog::read(&path).unwrap();
        let epinions = catalog.entry("soc-Epinions1").unwrap();
        assert_eq!(epinions.file, "soc-Epinions1.txt.gz");
        assert!(epinions.directed);
        assert_eq!(catalog.entry("soc-Epinions"), None);
        assert!(downloads(&path).ends_with("bench-graphs/downloads"));
        assert_eq!(
            downloads(Path::new("catalog.json")),
            Path::new("downloads"),
            "a catalog in the current folder"
        );
    }

    #[test]
    fn other_files_are_refused() {
        let message = |text| read(text).unwrap_err().to_string();
        assert!(message("{}").contains("missing field `graphs`"));
        let outside = r#"{"graphs": [{"name": "a", "file": "../a.txt", "directed": false}]}"#;
        assert!(message(outside).ends_with("a: ../a.txt is not a plain file name"));
        let missing = Catalog::read(Path::new("/no/catalog.json")).unwrap_err();
        assert!(missing.to_string().contains("cannot be read"));
    }
}
