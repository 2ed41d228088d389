/** What an audit row says was applied to a section of settings, as the command that sets it. */
export function appliedSettings({ section, number, ...args }: Readonly<Record<string, unknown>>) {
  // Of the other sections the number is the row's own: their commands name a display, or the whole device.
  return { name: `${String(section)}.apply`, args: section === 'ambientSensor' ? { number, ...args } : args }
}
