import { type ReactNode, useState } from 'react'
import { readAs } from '#console/lib/call/plainContract.ts'
import { usePathName } from '#console/router/Router.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { Later } from '#console/ui/Later.tsx'
import { useDocumentTitle } from '#console/ui/page/useDocumentTitle.ts'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import { deviceGuidValue } from '#contract/call/values.ts'
import type { DeviceGuid } from '#domain/ids.ts'
import './device.css'
import { OpenDevice } from '#console/deviceParts/openDevice.ts'
import { DeviceHeader } from './DeviceHeader.tsx'
import { DeviceNotFound } from './DeviceNotFound.tsx'
import { knownDevice } from './knownDevice.ts'
import { useDevice } from './useDevice.ts'
import { useForgetViewed, useViewHistory } from './useViewHistory.ts'

interface Props {
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export function DeviceScreen({ actions, children }: Props) {
  const guid = readAs(deviceGuidValue, usePathName('guid')?.toLowerCase())
  if (!guid) return <DeviceNotFound />
  return (
    <DeviceByGuid key={guid} guid={guid} actions={actions}>
      {children}
    </DeviceByGuid>
  )
}

/** Title and tabs stand before the first answer: a list or an earlier visit has told the name. */
function DeviceByGuid({ guid, actions, children }: Props & { readonly guid: DeviceGuid }) {
  const device = useDevice(guid)
  const [listed] = useState(() => knownDevice(guid))
  const shown = device.data ?? listed
  const { nameThen } = useViewHistory(guid, device.data?.name)
  const name = shown?.name ?? nameThen ?? (device.isError ? 'Device' : '')
  useDocumentTitle(name || undefined)
  const isGone = device.error?.code === 'not_found'
  useForgetViewed(isGone ? guid : undefined)

  if (isGone) return <DeviceNotFound />
  return (
    <OpenDevice.Provider value={shown}>
      <section className="device-screen" aria-label={name || 'Device'}>
        <DeviceHeader guid={guid} name={name} device={shown} actions={actions} />
        <AsyncView query={device} skeleton={<Skeleton isAtOnce />}>
          {() => (
            <Later meanwhile={<Skeleton isAtOnce />}>
              <Later meanwhile={<Skeleton isAtOnce />}>
                <div className="device-page">{children}</div>
              </Later>
            </Later>
          )}
        </AsyncView>
      </section>
    </OpenDevice.Provider>
  )
}
