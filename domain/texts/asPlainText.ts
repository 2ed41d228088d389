/** Spreadsheets take a text that begins like this for a formula; some read full-width signs like those of ASCII. */
const FORMULA_START = /^[=+\-@\t\r\n\0＝＋－＠]/

/** Returns the text of a cell so that no spreadsheet takes it for a formula (rules/formats 3). */
export const asPlainText = (text: string): string => (FORMULA_START.test(text) ? `'${text}` : text)
