import { UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type ChatMessage, setReaction } from '../../data/messages.ts'
import { useAction } from '../../parts/forms/use-action.ts'
import { useSignedIn } from '../../shell/use-session.ts'
import classes from './message.module.css'

interface ReactionsProps {
  message: ChatMessage
  canReact: boolean
}

/** The reactions to a message. The person's own one is a button that removes it. */
export function Reactions(props: ReactionsProps) {
  return props.message.reactions.length === 0 ? null : <List {...props} />
}

function List({ message, canReact }: ReactionsProps) {
  const { t } = useTranslation()
  const { user } = useSignedIn()
  const set = useAction(setReaction(message))
  return (
    <ul className={classes.reactions} aria-label={t('message.reactions')}>
      {message.reactions.map(({ emoji, author }) => {
        const shown = `${emoji} ${author.name}`
        const remove = t('message.unreact', { emoji, name: author.name })
        const isOwn = author.type === 'user' && author.id === user.id
        return (
          <li key={`${author.type} ${author.id}`}>
            {isOwn && canReact ? (
              <UnstyledButton
                className={`${classes.reaction} ${classes.own}`}
                onClick={() => set.run(null)}
                aria-label={remove}
                title={remove}
              >
                {shown}
              </UnstyledButton>
            ) : (
              <span className={classes.reaction}>{shown}</span>
            )}
          </li>
        )
      })}
    </ul>
  )
}
