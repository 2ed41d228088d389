const WHO_CHANGED = /^who (?:has )?(?:changed|set|turned) (?:the )?(\S.*?)\??$/i

/** Reads what somebody asks about who types `who changed the brightness`. */
export const readWhoChanged = (typed: string): string | undefined => WHO_CHANGED.exec(typed.trim())?.[1]
