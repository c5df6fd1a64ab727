import i18next from 'i18next'
import { lastCall, logAddress, onCall } from './calls.ts'

/**
 * A section of each response with a link to the request in the log. The renderer draws components of Vue, which the
 * page does not have otherwise: this one draws nothing, and puts an element of its own beside itself.
 */
const CallRow = {
  render: () => null,
  mounted(this: Drawn) {
    const row = document.createElement('p')
    row.className = 'call-row'
    const show = () => row.replaceChildren(...link())
    show()
    const stop = onCall(show)
    this.$el.parentNode?.insertBefore(row, this.$el)
    this.undraw = () => {
      stop()
      row.remove()
    }
  },
  beforeUnmount(this: Drawn) {
    this.undraw?.()
  },
}

interface Drawn {
  $el: Node
  undraw?: () => void
}

function link(): Node[] {
  const call = lastCall()
  if (!call?.request_id) return []
  const anchor = document.createElement('a')
  anchor.href = logAddress(call.request_id)
  anchor.target = '_blank'
  anchor.textContent = i18next.t('reference.log')
  return [anchor]
}

export const callRow = () => ({
  name: 'request-log',
  extensions: [],
  apiClientPlugins: [{ components: { response: { component: CallRow } } }],
})
