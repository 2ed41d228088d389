/** Pattern for `ilike` that finds a text anywhere: its own wildcards mean themselves. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
