import { IconHistory, IconKey, IconListCheck, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { toasts } from '#console/lib/call/toasts.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { confirmAndChange } from '#console/lib/confirmAndChange.ts'
import { useMay } from '#console/lib/session/session.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import {
  acceptAsDevices,
  listWaitingDevices,
  MOST_ACCEPTED,
  refuseDevices,
  type WaitingDevice,
} from '#contract/http/devices/claims.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { claimMessages } from './claimText.ts'
import { WaitingTable } from './WaitingTable.tsx'
import './claim.css'

const AcceptModal = lazyDialog(() => import('./AcceptModal.tsx').then((part) => part.AcceptModal))
const ClaimKeysModal = lazyDialog(() => import('./ClaimKeysModal.tsx').then((part) => part.ClaimKeysModal))

const REFRESH_MS = 10_000

/** The tab Waiting of Devices: devices that came by a claim key (rules/claims 6). */
export function WaitingScreen() {
  const waiting = useCall(listWaitingDevices, {}, { refreshEveryMs: REFRESH_MS })
  const [hasKeys, setHasKeys] = useState(false)
  return (
    <Screen
      title="Waiting"
      subtitle={waiting.data && formatNumber(waiting.data.length)}
      actions={
        <ActionButton icon={IconKey} onClick={() => setHasKeys(true)}>
          Claim keys
        </ActionButton>
      }
    >
      <Panel>
        <AsyncView
          query={waiting}
          empty={
            <EmptyNote title="No devices are waiting">
              <p>Put a claim key into a disk image: every device that starts from it appears here.</p>
            </EmptyNote>
          }
        >
          {(devices) => <Waiting devices={devices} />}
        </AsyncView>
      </Panel>
      <ClaimKeysModal isOpen={hasKeys} onClose={() => setHasKeys(false)} />
    </Screen>
  )
}

function Waiting({ devices }: { readonly devices: readonly WaitingDevice[] }) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [isAccepting, setAccepting] = useState(false)
  const present = devices.filter(({ id }) => chosen.has(id)).slice(0, MOST_ACCEPTED)
  const count = present.length
  const refuse = () =>
    confirmAndChange(
      refuseDevices,
      { body: { ids: present.map(({ id }) => id) } },
      {
        ...{ title: 'Refuse devices', text: claimMessages.confirmRefuse(count), isDangerous: true },
        done: claimMessages.refused,
      },
    )
  const mayGive = useMay(acceptAsDevices.permission)
  const hasKnown = mayGive && devices.some(({ knownAs }) => knownAs)
  const known = present.flatMap(({ id, knownAs }) => (knownAs ? [{ ...knownAs, claimId: id }] : []))
  const isKnown = hasKnown && count > 0 && known.length === count
  const goOn = () => {
    const [first] = known
    if (!first) return
    const isOne = known.length === 1
    return confirmAndChange(
      acceptAsDevices,
      { body: { records: known.map(({ claimId, id }) => ({ id: claimId, deviceId: id })) } },
      {
        title: isOne ? 'Give the record' : 'Give the records',
        text: isOne
          ? claimMessages.confirmGive(first.name, first.customerName)
          : claimMessages.confirmGiveMany(known.map(({ name }) => name)),
        done: ({ names }) => toasts.success(claimMessages.given(names)),
      },
    )
  }
  return (
    <>
      <div className="waiting-bar">
        <span aria-live="polite">{count} selected</span>
        <ActionButton
          icon={IconListCheck}
          isMain={count > 0 && !isKnown}
          disabled={count === 0}
          onClick={() => setAccepting(true)}
        >
          {hasKnown ? 'Accept as new' : 'Accept'}
        </ActionButton>
        {hasKnown && (
          <ActionButton
            icon={IconHistory}
            isMain={isKnown}
            disabled={!isKnown}
            title="Go on in the records of the devices that they look like"
            onClick={() => void goOn()}
          >
            Accept as known
          </ActionButton>
        )}
        <ActionButton icon={IconX} disabled={count === 0} onClick={() => void refuse()}>
          Refuse
        </ActionButton>
      </div>
      <WaitingTable devices={devices} chosen={chosen} onChoose={setChosen} />
      {isAccepting && <AcceptModal devices={present} onClose={() => setAccepting(false)} />}
    </>
  )
}
