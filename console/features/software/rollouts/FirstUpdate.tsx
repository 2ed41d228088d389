import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { send } from '#console/lib/call/api.ts'
import type { CallFailed } from '#console/lib/call/CallFailed.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { listReleases, type Release } from '#contract/http/software/releases.ts'
import { previewClientUpdate, type UpdatePreview } from '#contract/http/software/rollouts.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { firstPlan, planBody } from './planValues.ts'
import { devicesText } from './rolloutLabels.ts'

/** It says what the newest release would change now, or where releases come from, while there is no rollout. */
export function FirstUpdate() {
  const releases = useCall(listReleases, {})
  return (
    <AsyncView query={releases}>
      {({ rows }) => {
        const newest = rows.find(({ isNewest }) => isNewest) ?? rows[0]
        return newest ? <NewestRelease release={newest} /> : <NoRelease />
      }}
    </AsyncView>
  )
}

function NoRelease() {
  return (
    <EmptyNote title="There is no release to update to yet">
      <p>A release is a signed file with a new version of the client. Add one to update devices to it.</p>
      <Button variant="default" component={Link} to={address('/device-software/releases')}>
        Device software
      </Button>
    </EmptyNote>
  )
}

function NewestRelease({ release: { id, version } }: { readonly release: Release }) {
  const preview = useQuery<UpdatePreview, CallFailed>({
    queryKey: [previewClientUpdate.path, id],
    queryFn: ({ signal }) => send(previewClientUpdate, { body: planBody(firstPlan(id, undefined)), signal }),
  })
  return (
    <AsyncView query={preview}>
      {(found) => (
        <EmptyNote title={`${version} is the newest release, and no update to it was made yet`}>
          <p>{reachText(found)}</p>
          <Button component={Link} to={address('/device-software/rollouts/new')}>
            Plan an update
          </Button>
        </EmptyNote>
      )}
    </AsyncView>
  )
}

function reachText({ chosenCount, updateCount, alreadyThereCount, offlineCount }: UpdatePreview): string {
  const later = offlineCount > 0 ? `, ${formatNumber(offlineCount)} of them when they come back` : ''
  const there = alreadyThereCount > 0 ? ` ${formatNumber(alreadyThereCount)} run it already.` : ''
  return `${formatNumber(updateCount)} of ${devicesText(chosenCount)} would be updated${later}.${there}`
}
