//! Tests of the library and of the program, in one binary: it links once.

mod common;

mod commands;
mod devices;
mod documents;
mod engines;
