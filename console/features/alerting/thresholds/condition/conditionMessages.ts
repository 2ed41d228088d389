/** These messages concern conditions; the others stand in `console/lib/call/messages.ts`. */
export const conditionMessages = {
  saved: 'The condition is saved. It counts from the next reading.',
  defaultsAdded: (count: number) => (count === 1 ? '1 condition added.' : `${count} conditions added.`),
  confirmRemove: (condition: string) =>
    `Are you sure you want to remove the condition "${condition}"? Its open alerts are closed.`,
  switchedOff: 'It is switched off here.',
  closesAlerts: (here: string) => `An open alert of it on ${here} is closed.`,
  confirmSwitchOff: (condition: string, here: string) =>
    `Switch off "${condition}" on ${here}? It is not judged there any more, and its open alerts there are closed.`,
  confirmRemoveOverride: (override: string, base: string) =>
    `Remove the override "${override}"? ${base} counts there again, and open alerts of the override are closed.`,
  confirmRemoveWide: (condition: string, place: string, overriddenCount: number) =>
    `Are you sure you want to remove the condition "${condition}" of ${place}? Its open alerts are closed${
      overriddenCount > 0 ? ', and what replaces it on some devices is removed too' : ''
    }.`,
} as const
