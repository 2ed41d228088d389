/**
 * How a section of a page, or one control in it, is called in the address: `Turn display(s) off` is
 * `turn-display-s-off`, `powerSwitch/2/reset` is `powerswitch-2-reset`.
 */
export const sectionAnchor = (title: string): string => title.toLowerCase().replace(/[^a-z0-9]+/g, '-')
