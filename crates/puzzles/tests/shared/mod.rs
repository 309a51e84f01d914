//! The published sets with known answers. Tests that need them are ignored unless they are asked for: the sets are not
//! part of the repository.

use std::path::PathBuf;

/// A folder of the published sets.
pub fn folder(name: &str) -> PathBuf {
    let sets = std::env::var_os("NOVELO_INSTANCES").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/instances"),
        PathBuf::from,
    );
    let folder = sets.join(name);
    assert!(folder.is_dir(), "{} is not there; NOVELO_INSTANCES says where the sets are", folder.display());
    folder
}
