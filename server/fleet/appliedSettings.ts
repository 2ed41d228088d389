/** Turns an audit row about applied settings into the command that sets them. */
export function appliedSettings({ section, number, ...args }: Readonly<Record<string, unknown>>) {
  // The number is the row's own in other sections: their commands name a display, or the whole device.
  return { name: `${String(section)}.apply`, args: section === 'ambientSensor' ? { number, ...args } : args }
}
