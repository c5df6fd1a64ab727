import { useEffect, useState } from 'react'

/**
 * Answers with secrets that the server shows once, from the write to the page that shows them. Only the memory has them:
 * a page that is loaded again, or opened a second time, has none.
 */
const answers = new Map<string, unknown>()

/** Keeps an answer for the page of this id. */
export function showOnce(id: string, answer: unknown): void {
  answers.set(id, answer)
}

/** Returns the kept answer while the page is open. */
export function useShownOnce<Answer>(id: string): Answer | undefined {
  const [answer] = useState(() => answers.get(id))
  useEffect(() => () => void answers.delete(id), [id])
  return answer as Answer | undefined
}
