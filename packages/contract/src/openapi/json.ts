/** A JSON object whose shape the code that makes it knows. */
export type Json = { [key: string]: unknown }
