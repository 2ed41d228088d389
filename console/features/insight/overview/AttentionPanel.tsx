import {
  type Icon,
  IconAlertTriangleFilled,
  IconBattery1,
  IconBulbOff,
  IconCircleCheckFilled,
  IconClockX,
  IconCopy,
  IconFileX,
  IconHelpCircle,
  IconPlugConnectedX,
  IconRefreshAlert,
  IconTool,
  IconUser,
} from '@tabler/icons-react'
import { useState } from 'react'
import type { CallResult } from '#console/lib/call/useCall.ts'
import { useMay } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { Age } from '#console/ui/Age.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { PlainButton } from '#console/ui/plain/PlainButton.tsx'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import { applyDisplaySettings } from '#contract/http/devices/setup.ts'
import type { getWrongNow, WrongDevice, WrongNow } from '#contract/http/insight/overview.ts'
import { WRONG_KINDS, type WrongKind } from '#domain/darkness/wrongKinds.ts'
import type { CustomerId } from '#domain/ids.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { HeldNote } from './HeldNote.tsx'
import './attention.css'
import { maintainedSentence, WRONG_WORDS, wrongAddress, wrongSentence } from './attentionLabels.ts'

const ICONS: Readonly<Record<WrongKind, Icon>> = {
  dark: IconBulbOff,
  silent: IconPlugConnectedX,
  alerted: IconAlertTriangleFilled,
  unanswered: IconHelpCircle,
  onBattery: IconBattery1,
  inMaintenance: IconTool,
  reportsRefused: IconFileX,
  clockWrong: IconClockX,
  restarting: IconRefreshAlert,
  identityConflict: IconCopy,
}

/** This many rows can be read in ten seconds. */
const FEW = 6

interface Props {
  readonly wrong: CallResult<typeof getWrongNow>
  readonly customerId: CustomerId | undefined
}

/** Devices that need attention stand worst first; each row leads to what fixes it (rules/overview 11). */
export function NowPanel({ wrong, customerId }: Props) {
  return (
    <Panel title="Needs attention" meta={<HeldNote query={wrong} />}>
      <AsyncView query={wrong} skeleton={<Skeleton lines={3} />} isEmpty={() => false}>
        {(found) => (found.devices === 0 ? <NothingWrong /> : <Found found={found} customerId={customerId} />)}
      </AsyncView>
    </Panel>
  )
}

function NothingWrong() {
  return (
    <p className="now-nothing">
      <IconCircleCheckFilled size={18} aria-hidden /> No active device is dark, not reporting, in alert or on battery.
    </p>
  )
}

interface FoundProps {
  readonly found: WrongNow
  readonly customerId: CustomerId | undefined
}

function Found({ found: { counts, devices, rows }, customerId }: FoundProps) {
  const [hasAll, setHasAll] = useState(false)
  const shown = hasAll ? rows : rows.slice(0, FEW)
  const hidden = devices - rows.length
  return (
    <>
      <ul className="now-counts" aria-label="Devices by problem">
        {WRONG_KINDS.filter((kind) => counts[kind] > 0).map((kind) => (
          <li key={kind}>
            <Link to={address('/devices', { filter: kind, customerId })} className="now-count" data-kind={kind}>
              <KindIcon kind={kind} />
              <b>{formatNumber(counts[kind])}</b> {WRONG_WORDS[kind].many}
            </Link>
          </li>
        ))}
      </ul>
      <ol className="now-rows" aria-label="Worst first">
        {shown.map((device) => (
          <Row key={device.deviceId} device={device} />
        ))}
      </ol>
      {(rows.length > FEW || hidden > 0) && (
        <p className="now-more">
          {rows.length > FEW && (
            <PlainButton isQuiet onClick={() => setHasAll(!hasAll)}>
              {hasAll ? 'Show the worst only' : `Show ${formatNumber(rows.length - FEW)} more`}
            </PlainButton>
          )}
          <Link to={address('/devices', { filter: 'wrong', customerId })} className="panel-link">
            {`All ${formatNumber(devices)} devices`}
          </Link>
        </p>
      )}
    </>
  )
}

function Row({ device }: { readonly device: WrongDevice }) {
  const { kind, deviceName, customerName, address: place, since, isAtLeast, also, takenBy } = device
  const maySet = useMay(applyDisplaySettings.permission)
  return (
    <li className="now-row" data-kind={kind}>
      <Link to={wrongAddress(device, maySet)} className="now-link">
        <KindIcon kind={kind} />
        <span className="now-kind">{WRONG_WORDS[kind].one}</span>
        <span className="now-device">
          <b>{deviceName}</b>
          <small>{[customerName, place].filter(Boolean).join(' · ')}</small>
        </span>
        <span className="now-what">
          {wrongSentence(device)}
          {maintainedSentence(device) !== '' && <small>{maintainedSentence(device)}</small>}
          {also.length > 0 && <small>Also: {also.map((one) => WRONG_WORDS[one].one.toLowerCase()).join(', ')}</small>}
        </span>
        <span className="now-taken">
          {takenBy !== '' && (
            <>
              <IconUser size={14} aria-hidden /> {takenBy}
            </>
          )}
        </span>
        <span className="now-since">
          {isAtLeast && 'at least '}
          <Age at={since} />
        </span>
      </Link>
    </li>
  )
}

function KindIcon({ kind }: { readonly kind: WrongKind }) {
  const KindOf = ICONS[kind]
  return <KindOf size={16} aria-hidden className="now-icon" />
}
