import { useChange } from '#console/lib/call/useCall.ts'
import { testChannel } from '#contract/http/alerting/channels.ts'

export const useChannelTest = () => useChange(testChannel, { showsFailure: true })
