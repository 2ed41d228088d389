import { EVENT_TYPES } from '#domain/catalogue/eventTypes.ts'

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const WORDS = new Set<string>([
  ...['v1', 'devices', 'events', 'messages', 'replies', 'commands', 'settings', 'time', '+', '#', '$SYS', ''],
  ...['1', '2', '3'],
  ...EVENT_TYPES.map(({ topic }) => topic),
])
const MOST_LEVELS = 8

/** Shortens a name from outside for the log to a guid or its length, because people put keys where names belong. */
export function maskedName(name: string): string {
  return GUID.test(name) ? name.toLowerCase() : `(${name.length} characters)`
}

/** Masks a topic from outside for the log. Only our own words and guids are shown. */
export function maskedTopic(topic: string): string {
  const levels = topic.split('/')
  const told = levels.slice(0, MOST_LEVELS).map((level) => (WORDS.has(level) ? level : maskedName(level)))
  return [...told, ...(levels.length > MOST_LEVELS ? ['…'] : [])].join('/')
}
