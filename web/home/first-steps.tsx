import { Button, CloseButton } from '@mantine/core'
import { useDisclosure, useLocalStorage } from '@mantine/hooks'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { NewRecordDialog } from '../custom-fields/new-record.tsx'
import { useSession } from '../shell/use-session.ts'
import classes from './first-steps.module.css'
import { type Step, useSteps } from './steps.ts'

/** First steps in a new account, with their progress. */
export function FirstSteps() {
  const { t } = useTranslation()
  const { account } = useSession()
  const [isHidden, setHidden] = useLocalStorage({
    key: `patchbay-first-steps-${account?.id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const { steps, isNew } = useSteps()
  const [isAdding, adding] = useDisclosure()
  if (!isNew || isHidden) return null
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <section className={classes.steps} aria-label={t('home.steps.title')}>
      <div className={classes.head}>
        <h2>{t('home.steps.title')}</h2>
        <span className={classes.count}>{t('home.steps.count', { done, all: steps.length })}</span>
        <CloseButton
          size="sm"
          onClick={() => setHidden(true)}
          aria-label={t('home.steps.hide')}
          title={t('home.steps.hide')}
        />
      </div>
      <ol className={classes.list}>
        {steps.map((step) => (
          <StepRow key={step.name} step={step} onAdd={adding.open} />
        ))}
      </ol>
      <NewRecordDialog collection="leads" opened={isAdding} onClose={adding.close} />
    </section>
  )
}

function StepRow({ step: { name, isDone, to, params }, onAdd }: { step: Step; onAdd: () => void }) {
  const { t } = useTranslation()
  const label = t(`home.steps.${name}.act`)
  return (
    <li className={classes.step} data-done={isDone || undefined}>
      {isDone ? (
        <IconCircleCheckFilled size={18} aria-label={t('home.steps.done')} role="img" />
      ) : (
        <IconCircle size={18} stroke={1.6} aria-hidden />
      )}
      <div className={classes.words}>
        <div className={classes.name}>{t(`home.steps.${name}.title`)}</div>
        <p className={classes.text}>{t(`home.steps.${name}.text`)}</p>
      </div>
      {!isDone &&
        (to ? (
          <Button
            variant="default"
            size="xs"
            renderRoot={(props) => <Link to={to} params={params} {...props} />}
          >
            {label}
          </Button>
        ) : (
          <Button variant="default" size="xs" onClick={onAdd}>
            {label}
          </Button>
        ))}
    </li>
  )
}
