/**
 * It names a section of a page, or one control in it, in the address: `Turn display(s) off` becomes
 * `turn-display-s-off`, `powerSwitch/2/reset` becomes `powerswitch-2-reset`.
 */
export const sectionAnchor = (title: string): string => title.toLowerCase().replace(/[^a-z0-9]+/g, '-')
