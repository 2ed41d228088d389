import {
  type Icon,
  IconAlertTriangle,
  IconBattery1,
  IconBulbOff,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconHelpCircle,
  IconPlugConnectedX,
  IconRefreshAlert,
  IconTool,
} from '@tabler/icons-react'
import { useState } from 'react'
import { OpenFor } from '#console/alertParts/OpenFor.tsx'
import type { CallResult } from '#console/lib/call/useCall.ts'
import { useMay } from '#console/lib/session/session.ts'
import { formatDateTime } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { PlainButton } from '#console/ui/plain/PlainButton.tsx'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import type { AttentionRow, getWrongNow, WrongNow } from '#contract/http/insight/overview.ts'
import { type AttentionGroup, isUnderChip } from '#domain/attention/attention.ts'
import type { CustomerId } from '#domain/ids.ts'
import { formatNumber, UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { HeldNote } from './HeldNote.tsx'
import './attention.css'
import { CHIP_LABELS, type Chip, rowAction, rowAddress, whereLabels } from './attentionLabels.ts'

const ICONS: Readonly<Record<AttentionGroup, Icon>> = {
  dark: IconBulbOff,
  silent: IconPlugConnectedX,
  alerted: IconAlertTriangle,
  onBattery: IconBattery1,
  other: IconHelpCircle,
  rollout: IconRefreshAlert,
  excused: IconTool,
}
const SEVERITY_NAMES: Readonly<Record<number, string>> = { 1: 'Critical', 2: 'Warning', 3: 'Information' }

/** This many rows can be read in ten seconds. */
const FEW = 8

interface Props {
  readonly wrong: CallResult<typeof getWrongNow>
  readonly customerId: CustomerId | undefined
}

/** The one list of what is wrong: worst first, each row with one step (rules/overview 11). */
export function NowPanel({ wrong, customerId }: Props) {
  const [chip, setChip] = useState<Chip>('all')
  const { data } = wrong
  // A chip that has no rows any more shows all.
  const shown = data && data.attention[chip] > 0 ? chip : 'all'
  return (
    <Panel
      title="Needs attention"
      meta={
        <>
          {data && <Chips found={data} shown={shown} onShow={setChip} />}
          <HeldNote query={wrong} />
          <Link to={address('/incidents', { customerId })} className="panel-link">
            All incidents
          </Link>
        </>
      }
    >
      <AsyncView query={wrong} skeleton={<Skeleton lines={4} />} isEmpty={() => false}>
        {(found) => <Found key={shown} found={found} chip={shown} customerId={customerId} />}
      </AsyncView>
    </Panel>
  )
}

interface ChipsProps {
  readonly found: WrongNow
  readonly shown: Chip
  readonly onShow: (chip: Chip) => void
}

function Chips({ found: { attention }, shown, onShow }: ChipsProps) {
  const chips = (Object.keys(CHIP_LABELS) as Chip[]).filter((chip) => attention[chip] > 0)
  // An empty row of chips would take a line on a narrow screen.
  if (chips.length === 0) return null
  return (
    <fieldset className="now-chips">
      <legend className="visually-hidden">Show only</legend>
      {chips.map((chip) => {
        const ChipIcon = chip === 'all' ? undefined : ICONS[chip]
        return (
          <button
            key={chip}
            type="button"
            className="now-chip"
            data-group={chip}
            aria-pressed={chip === shown}
            onClick={() => onShow(chip)}
          >
            {ChipIcon && <ChipIcon size={15} aria-hidden className="now-icon" />}
            {CHIP_LABELS[chip]} <b>{formatNumber(attention[chip])}</b>
          </button>
        )
      })}
    </fieldset>
  )
}

interface FoundProps {
  readonly found: WrongNow
  readonly chip: Chip
  readonly customerId: CustomerId | undefined
}

function Found({ found: { rows, rowCount, activeDevices, attention }, chip, customerId }: FoundProps) {
  const [hasAll, setHasAll] = useState(false)
  const own = rows.filter((row) => isUnderChip(row, chip))
  const shown = hasAll ? own : own.slice(0, FEW)
  const hidden = chip === 'all' ? rowCount - own.length : 0
  if (attention.all === 0 && chip === 'all') return <NothingWrong {...{ activeDevices, customerId }} />
  return (
    <>
      <table className="now-table" aria-label="Needs attention, worst first">
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Severity</span>
            </th>
            <th scope="col">What is wrong</th>
            <th scope="col">Where</th>
            <th scope="col">Since</th>
            <th scope="col">Owner</th>
            <th scope="col">
              <span className="visually-hidden">Next step</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <Row key={row.key} row={row} customerId={customerId} />
          ))}
        </tbody>
      </table>
      {own.length > FEW && (
        <p className="now-more">
          <PlainButton isQuiet onClick={() => setHasAll(!hasAll)}>
            {hasAll ? 'Show the worst only' : `Show all ${formatNumber(own.length)}`}
          </PlainButton>
          {hidden > 0 && (
            <Link to={address('/devices', { filter: 'wrong', customerId })} className="panel-link">
              {`${formatNumber(hidden)} more rows: open the list of devices`}
            </Link>
          )}
        </p>
      )}
    </>
  )
}

interface NothingWrongProps extends Pick<FoundProps, 'customerId'> {
  readonly activeDevices: number
}

function NothingWrong({ activeDevices, customerId }: NothingWrongProps) {
  if (activeDevices === 0) {
    return (
      <p className="now-nothing" data-empty>
        <IconCircleDashed size={18} aria-hidden />
        No device is active yet.
        <Link to={address('/devices', { customerId })}>Open devices</Link>
      </p>
    )
  }
  return (
    <p className="now-nothing">
      <IconCircleCheckFilled size={18} aria-hidden />
      {activeDevices === 1
        ? 'The active device is fine.'
        : `All ${formatNumber(activeDevices)} active devices are fine.`}
    </p>
  )
}

function Row({ row, customerId }: { readonly row: AttentionRow; readonly customerId: CustomerId | undefined }) {
  const maySet = useMay('deviceManager')
  const { group, severityId, what, since, isAtLeast, ownerName } = row
  const { name, more, whole, guid } = whereLabels(row)
  const action = rowAction(row, customerId, maySet)
  const RowIcon = ICONS[group]
  return (
    <tr className="now-row" data-severity={group === 'excused' ? undefined : severityId}>
      <td>
        <RowIcon size={18} aria-hidden className="now-icon" />
        <span className="visually-hidden">{SEVERITY_NAMES[severityId]}</span>
      </td>
      <td className="now-what" title={what}>
        <Link to={rowAddress(row, customerId)}>{what}</Link>
      </td>
      <td className="now-where" title={[`${name} ${more}`, whole].filter(Boolean).join(', ')}>
        {guid ? <Link to={address('/devices/$guid/status', { guid })}>{name}</Link> : <span>{name}</span>}{' '}
        <small>{more}</small>
      </td>
      <td className="now-since" title={since === null ? undefined : formatDateTime(since)}>
        {since === null ? UNKNOWN_TEXT : <OpenFor created={since} closed={null} isAtLeast={isAtLeast} />}
      </td>
      <td className="now-owner" title={ownerName}>
        {ownerName || UNKNOWN_TEXT}
      </td>
      <td className="now-action">
        <Link
          to={action.to}
          className="now-button"
          data-step={action.isStep || undefined}
          aria-label={`${action.label}: ${name}, ${what}`}
        >
          {action.label}
        </Link>
      </td>
    </tr>
  )
}
