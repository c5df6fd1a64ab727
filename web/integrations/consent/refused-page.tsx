import { Problem } from '../../api/problem.ts'
import { ConsentRefusal } from './consent-refusal.tsx'

/** `/oauth/refused?reason=…`: explains why the consent form was rejected. The browser is redirected here. */
export function RefusedPage() {
  const reason = new URLSearchParams(window.location.search).get('reason') ?? ''
  const back = () => window.history.back()
  return <ConsentRefusal problem={new Problem(403, { type: `#${reason}` })} onRetry={back} />
}
