import {
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleXFilled,
  IconHelpCircle,
  IconMoonFilled,
} from '@tabler/icons-react'
import { Age } from '#console/ui/Age.tsx'
import type { BadgeLook } from '#console/ui/Badge.tsx'
import type { DarknessLink } from '#contract/http/insight/darkness.ts'
import { STATE_WORDS } from './darknessLabels.ts'
import '#console/ui/Badge.css'

const LOOKS: Readonly<Record<DarknessLink['state'], BadgeLook>> = {
  ok: { icon: IconCircleCheckFilled, tone: 'ok' },
  warning: { icon: IconAlertTriangleFilled, tone: 'warn' },
  broken: { icon: IconCircleXFilled, tone: 'crit' },
  unknown: { icon: IconHelpCircle, tone: 'warn' },
  planned: { icon: IconMoonFilled, tone: 'brand' },
  notLookedAt: { icon: IconCircleDashed, tone: 'off' },
}

export function DarknessChain({ links }: { readonly links: readonly DarknessLink[] }) {
  return (
    <ol className="darkness-chain" aria-label="From the mains to the content">
      {links.map((link) => (
        <ChainLink key={link.kind} link={link} />
      ))}
    </ol>
  )
}

function ChainLink({ link: { name, state, sentence, evidence } }: { readonly link: DarknessLink }) {
  const { icon: Icon, tone } = LOOKS[state]
  return (
    <li className="darkness-link" data-state={state}>
      <span className={`badge badge-${tone} darkness-mark`}>
        <Icon size={18} aria-hidden />
      </span>
      <div className="darkness-text">
        <div className="darkness-head">
          <b>{name}</b>
          <span className="darkness-state">{STATE_WORDS[state]}</span>
        </div>
        {sentence && <p>{sentence}</p>}
        {evidence.length > 0 && (
          <dl className="darkness-evidence">
            {evidence.map(({ label, text, at, isStale }) => (
              <div key={label} data-stale={isStale || undefined}>
                <dt>{label}</dt>
                <dd>
                  {text}
                  {at && (
                    <small>
                      <Age at={at} />
                      {isStale && ', too old'}
                    </small>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </li>
  )
}
