import { Button } from '@mantine/core'
import { useCall } from '#console/lib/call/useCall.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { useAddress } from '#console/router/useAddress.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { listReleases } from '#contract/http/software/releases.ts'
import { NewUpdateForm } from './NewUpdateForm.tsx'
import '../rollouts.css'

/** `/client-updates/new` plans a rollout; `devices` in the address are those selected in the list of devices. */
export function NewUpdateScreen() {
  const { devices } = useAddress('/device-software/rollouts/new').values
  const releases = useCall(listReleases, {})
  return (
    <Screen title="New client update">
      <AsyncView
        query={releases}
        isEmpty={({ rows }) => rows.length === 0}
        empty={
          <EmptyNote title="There is no release to update to yet">
            <Button variant="default" component={Link} to={address('/device-software/releases')}>
              Device software
            </Button>
          </EmptyNote>
        }
      >
        {({ rows }) => <NewUpdateForm releases={rows} deviceIds={devices} />}
      </AsyncView>
    </Screen>
  )
}
