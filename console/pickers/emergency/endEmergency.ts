import { confirmAndChange } from '#console/lib/confirmAndChange.ts'
import { type EmergencyDark, endEmergencyDark } from '#contract/http/insight/emergencyDark.ts'

/** It asks, and ends an emergency dark. */
export const endEmergency = ({ id, subject }: Pick<EmergencyDark, 'id' | 'subject'>): Promise<void> =>
  confirmAndChange(
    endEmergencyDark,
    { body: { id } },
    {
      title: 'End emergency dark',
      text: `${subject}. Each device gets the off times back that it was to have before; devices that are not connected get them when they come.`,
      done: 'Emergency dark ended',
    },
  )
