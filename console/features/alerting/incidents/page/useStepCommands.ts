import {
  IconArrowMerge,
  IconBellRinging,
  IconCircleCheck,
  IconNote,
  IconUserCheck,
  IconUserShare,
  IconZzz,
} from '@tabler/icons-react'
import { messages } from '#console/lib/call/messages.ts'
import { serverNowMs } from '#console/lib/call/serverClock.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import type { IncidentDetails } from '#contract/http/alerting/incidents.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { incidentMessages } from '../incidentLabels.ts'
import type { IncidentDoing } from './incidentDoing.ts'
import { SNOOZE_PRESETS } from './snoozePresets.ts'

export function useStepCommands({ openCount }: IncidentDetails, doing: IncidentDoing): void {
  usePaletteCommands([
    {
      actionId: 'incident.acknowledge',
      label: 'Take ownership of the incident',
      searchTerms: 'acknowledge take own',
      icon: IconUserCheck,
      refused: doing.isYours ? incidentMessages.isYours : undefined,
      run: doing.take,
    },
    {
      actionId: 'incident.acknowledge',
      id: 'incident.acknowledge other',
      label: 'Assign incident',
      searchTerms: 'acknowledge owner who has it',
      icon: IconUserShare,
      run: () => doing.begin('assign'),
    },
    {
      actionId: 'incident.note',
      label: 'Note on incident',
      searchTerms: 'write',
      icon: IconNote,
      run: () => doing.begin('note'),
    },
    ...SNOOZE_PRESETS.map(({ label, until }) => ({
      actionId: 'incident.snooze' as const,
      id: `incident.snooze ${label}`,
      label: `Snooze incident ${label.toLowerCase()}`,
      searchTerms: 'quiet mute',
      icon: IconZzz,
      run: () => doing.snooze(until(new Date(serverNowMs()))),
    })),
    {
      actionId: 'incident.snooze',
      label: 'Snooze incident until a moment',
      searchTerms: 'quiet mute',
      icon: IconZzz,
      run: () => doing.begin('snooze'),
    },
    {
      actionId: 'incident.snooze',
      id: 'incident.snooze wake',
      label: 'Wake incident',
      searchTerms: 'snooze end unmute',
      icon: IconBellRinging,
      refused: doing.isSnoozed ? undefined : incidentMessages.isNotSnoozed,
      run: () => doing.snooze(null),
    },
    {
      actionId: 'incident.merge',
      label: 'Merge incidents',
      searchTerms: 'join fold',
      icon: IconArrowMerge,
      run: () => doing.begin('merge'),
    },
    {
      actionId: 'alert.close',
      label: `Close alerts of the incident (${formatNumber(openCount)})`,
      icon: IconCircleCheck,
      refused: openCount === 0 ? messages.noAlertsSelected : undefined,
      run: doing.close,
    },
  ])
}
