import { Problem } from '../api/problem.ts'
import { ConsentRefusal } from './consent-refusal.tsx'

/** `/oauth/refused?reason=…`: why the form of the consent page was not taken. The browser came here by itself. */
export function RefusedPage() {
  const reason = new URLSearchParams(window.location.search).get('reason') ?? ''
  const back = () => window.history.back()
  return <ConsentRefusal problem={new Problem(403, { type: `#${reason}` })} onRetry={back} />
}
