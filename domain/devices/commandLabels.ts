/** The consequences of actions on devices, for dialogs of the console and for assistants. */
export const CONSEQUENCES = {
  deactivated: 'A deactivated device takes no commands and no settings.',
  maintenance: 'It keeps recording and notifies nobody.',
  deleted: 'with its readings, messages and commands. It cannot be undone. What the audit log says about it stays.',
  window: 'Alerts are recorded but not sent, and this time does not count towards availability.',
} as const
