/** How a section of a page is called in the address: `Turn display(s) off` is `turn-display-s-off`. */
export const sectionAnchor = (title: string): string => title.toLowerCase().replace(/[^a-z0-9]+/g, '-')
