const WHO_CHANGED = /^who (?:has )?(?:changed|set) (?:the )?(\S.*?)\??$/i

/** Reads `brightness` out of `who changed the brightness`. */
export const readWhoChanged = (typed: string): string | undefined => WHO_CHANGED.exec(typed.trim())?.[1]
