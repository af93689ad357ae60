//! Nothing; see Cargo.toml.
