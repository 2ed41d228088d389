/** Orders names as people who speak this language read them: 2 before 10, and Ä beside A except where it is its own letter. */
export const nameOrder = (language: string): ((one: string, other: string) => number) =>
  new Intl.Collator(language, { numeric: true }).compare
