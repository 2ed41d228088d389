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
import { useOffers } from '#console/lib/offers/offers.ts'
import type { IncidentDetails } from '#contract/http/incidents/incident.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { incidentMessages } from '../incidentWords.ts'
import type { IncidentDoing } from './incidentDoing.ts'
import { SNOOZE_PRESETS } from './snoozePresets.ts'

/** In the palette, what the buttons of an incident do. */
export function useStepOffers({ openCount }: IncidentDetails, doing: IncidentDoing): void {
  useOffers([
    {
      deed: 'incident.acknowledge',
      label: 'I have this incident',
      otherWords: 'acknowledge take own',
      icon: IconUserCheck,
      refused: doing.isYours ? incidentMessages.isYours : undefined,
      run: doing.take,
    },
    {
      deed: 'incident.acknowledge',
      id: 'incident.acknowledge other',
      label: 'Assign incident',
      otherWords: 'acknowledge owner who has it',
      icon: IconUserShare,
      run: () => doing.begin('assign'),
    },
    {
      deed: 'incident.note',
      label: 'Note on incident',
      otherWords: 'write',
      icon: IconNote,
      run: () => doing.begin('note'),
    },
    ...SNOOZE_PRESETS.map(({ label, until }) => ({
      deed: 'incident.snooze' as const,
      id: `incident.snooze ${label}`,
      label: `Snooze incident ${label.toLowerCase()}`,
      otherWords: 'quiet mute',
      icon: IconZzz,
      run: () => doing.snooze(until(new Date(serverNowMs()))),
    })),
    {
      deed: 'incident.snooze',
      label: 'Snooze incident until a moment',
      otherWords: 'quiet mute',
      icon: IconZzz,
      run: () => doing.begin('snooze'),
    },
    {
      deed: 'incident.snooze',
      id: 'incident.snooze wake',
      label: 'Wake incident',
      otherWords: 'snooze end unmute',
      icon: IconBellRinging,
      refused: doing.isSnoozed ? undefined : incidentMessages.isNotSnoozed,
      run: () => doing.snooze(null),
    },
    {
      deed: 'incident.merge',
      label: 'Merge incidents',
      otherWords: 'join fold',
      icon: IconArrowMerge,
      run: () => doing.begin('merge'),
    },
    {
      deed: 'alert.close',
      label: `Close alerts of the incident (${formatNumber(openCount)})`,
      icon: IconCircleCheck,
      refused: openCount === 0 ? messages.noAlertsSelected : undefined,
      run: doing.close,
    },
  ])
}
