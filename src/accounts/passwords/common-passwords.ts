/**
 * Parts of the most common passwords: the words at the top of published lists of leaked passwords, and keyboard
 * walks. A common password of twelve or more characters nearly always is one of these with digits after it, one of
 * these twice, or two of them combined.
 */
const WORDS = `
password passwort passw passwd pass motdepasse contrasena contraseña senha parol privet пароль привет parola haslo
qwerty qwertz azerty asdf zxcvbn welcome bienvenido bienvenue willkommen hello hallo hola admin administrator
administrador root user username login guest test tester testing demo default changeme change secret letmein access
master system server computer internet network database oracle windows microsoft google facebook instagram youtube
samsung nokia apple android linux ubuntu iphone patchbay amocrm kommo company office manager account sales client
iloveyou ilove loveyou loveme love lovers lover iloveu tequiero teamo mylove forever friends friend family mother
father mommy daddy baby babygirl babyboy angel princess princesa prince queen king beautiful pretty sweet sweetie
honey heart happy smile dream dreams flower butterfly rainbow sunshine summer winter spring autumn monday friday
sunday january february march april june july august september october november december christmas holiday
monkey dragon tiger lion eagle falcon dolphin panther shark horse puppy kitty kitten doggy chicken pokemon pikachu
superman batman spiderman starwars ninja samurai warrior soldier hunter killer shadow ghost phoenix silver golden
diamond orange purple yellow black white green blue pink cookie chocolate banana apple cherry pepper ginger coffee
football basketball baseball soccer hockey tennis golfer cricket chelsea liverpool arsenal barcelona realmadrid
juventus manchester united mercedes ferrari porsche corvette mustang harley yamaha honda toyota
michael jordan jennifer jessica michelle ashley amanda nicole daniel anthony matthew andrew joshua robert thomas
charlie william george maggie hannah samantha alexander alexandra natasha anastasia sergey andrey dmitry vladimir
maria carlos alejandro fernando roberto antonio gabriel joao brasil mexico espana argentina colombia russia moskva
america canada london paris berlin madrid lucky money freedom trustno jesus jesuschrist christ blessed heaven faith
whatever nothing something anything matrix merlin gandalf hobbit cowboy rockyou rock metallica nirvana eminem
fuckyou fuck asshole bitch tequila corona zaq xsw mother people number letter abc xyz qaz wsx edc
`

export const commonWords: readonly string[] = WORDS.trim().split(/\s+/)

/** Each counts forwards and backwards. */
export const walks: readonly string[] = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'a1b2c3d4e5f6g7h8i9j0',
  '147258369',
  '159357',
  '741852963',
  '!@#$%^&*()',
  'йцукенгшщзхъ',
  'фывапролджэ',
  'ячсмитьбю',
]
