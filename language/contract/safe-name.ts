/** A name that can be a module, a column and a route at once: of blocks, fields and parameters (docs/language.md#text). */
export const safeName = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;
