"""All operators of the tables, one list."""

load(":attention.bzl", "ATTENTION")
load(":convolutions.bzl", "CONVOLUTIONS")
load(":elementwise.bzl", "ELEMENTWISE")
load(":indexing.bzl", "INDEXING")
load(":normalization.bzl", "NORMALIZATION")
load(":optimizers.bzl", "OPTIMIZERS")
load(":products.bzl", "PRODUCTS")
load(":recurrent.bzl", "RECURRENT")
load(":reductions.bzl", "REDUCTIONS")

OPERATORS = (
    PRODUCTS +
    CONVOLUTIONS +
    ATTENTION +
    NORMALIZATION +
    ELEMENTWISE +
    REDUCTIONS +
    INDEXING +
    RECURRENT +
    OPTIMIZERS
)
