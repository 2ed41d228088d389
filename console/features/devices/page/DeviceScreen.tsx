import type { ReactNode } from 'react'
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
import { useDevice } from './useDevice.ts'
import { useForgetViewed } from './useViewHistory.ts'

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

function DeviceByGuid({ guid, actions, children }: Props & { readonly guid: DeviceGuid }) {
  const device = useDevice(guid)
  useDocumentTitle(device.data?.name)
  const isGone = device.error?.code === 'not_found'
  useForgetViewed(isGone ? guid : undefined)

  if (isGone) return <DeviceNotFound />
  return (
    <AsyncView query={device} skeleton={<LoadingDevice />}>
      {(found) => (
        <Later meanwhile={<LoadingDevice />}>
          <OpenDevice.Provider value={found}>
            <section className="device-screen" aria-label={found.name}>
              <DeviceHeader device={found} actions={actions} />
              <Later meanwhile={<Skeleton isAtOnce />}>{children}</Later>
            </section>
          </OpenDevice.Provider>
        </Later>
      )}
    </AsyncView>
  )
}

/** Every page has a heading, also while it loads. */
function LoadingDevice() {
  return (
    <>
      <h1 className="visually-hidden">Device</h1>
      <Skeleton isAtOnce />
    </>
  )
}
