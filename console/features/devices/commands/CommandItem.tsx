import {
  IconCircleCheckFilled,
  IconCircleXFilled,
  IconClockHour4,
  IconClockX,
  IconHelpCircle,
  IconSend2,
} from '@tabler/icons-react'
import { commandLabels } from '#console/deviceParts/commandLabels.ts'
import { formatDateTime } from '#console/lib/time/time.ts'
import { Badge, type BadgeLook } from '#console/ui/Badge.tsx'
import type { CommandState, DeviceCommand } from '#contract/http/devices/commands.ts'
import { answerOf, STATE_WORDS, stepsText } from './commandList.ts'

const LOOKS: Readonly<Record<CommandState, BadgeLook>> = {
  accepted: { icon: IconClockHour4, tone: 'brand' },
  sent: { icon: IconSend2, tone: 'brand' },
  done: { icon: IconCircleCheckFilled, tone: 'ok' },
  refused: { icon: IconCircleXFilled, tone: 'crit' },
  expired: { icon: IconClockX, tone: 'off' },
  unknown: { icon: IconHelpCircle, tone: 'warn' },
}

export function CommandItem({ command }: { readonly command: DeviceCommand }) {
  const { title, details } = commandLabels(command.name, command.args)
  const { word, means } = STATE_WORDS[command.state]
  const answer = answerOf(command)
  const steps = stepsText(command)
  return (
    <li className="command" data-state={command.state}>
      <div className="command-head">
        <b>{title}</b>
        <Badge {...LOOKS[command.state]} title={means}>
          {word}
        </Badge>
      </div>
      {details.length > 0 && <p className="command-details">{details.join(' · ')}</p>}
      {answer.length > 0 && (
        <blockquote className="command-answer" aria-label="Answer of the device">
          {answer.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </blockquote>
      )}
      {answer.length === 0 && command.state === 'unknown' && <p className="command-means">{means}</p>}
      <p className="command-steps">
        <span>
          <time dateTime={command.acceptedAt}>{formatDateTime(command.acceptedAt)}</time>
          {steps !== '' && ` · ${steps}`}
        </span>
        <span className="command-who" title={command.username}>
          {command.username}
        </span>
      </p>
    </li>
  )
}
