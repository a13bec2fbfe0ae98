/** The passwords that are tried first, here and abroad; compared without case. */
const WORDS = `
123456 1234567 12345678 123456789 1234567890 0123456789 987654321 87654321 7654321 654321 0987654321
111111 1111111 11111111 000000 00000000 222222 333333 444444 555555 666666 777777 888888 999999
121212 123123 123123123 123321 1234321 112233 11223344 101010 131313 102030 10203040 159753 159357 147258
147258369 789456 789456123 456789 246810 141414 151515 202020 212121 232323
password password1 password12 password123 passw0rd p@ssw0rd p@ssword pass123 pass1234 pass12345
qwerty qwerty1 qwerty12 qwerty123 qwertyui qwertyuiop qwer1234 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx qazwsx
qazwsxedc zaq12wsx asdfgh asdfghjkl asd123 asdf1234 zxcvbn zxcvbnm a1b2c3 a1b2c3d4 abc123 abc1234 abcd1234
abcdef abcdefg abcdefgh aaaaaa aa123456 a123456 a12345678 q1w2e3 q1w2e3r4 123qwe 123qweasd 123abc
admin admin1 admin12 admin123 admin1234 administrator root123 toor123 welcome welcome1 letmein login123
master monkey dragon shadow sunshine princess superman batman iloveyou football baseball michael jordan
trustno1 hunter2 starwars pokemon naruto freedom whatever secret secret1 changeme default guest123 test123
test1234 teste1 teste12 teste123 teste1234 testes
senha1 senha12 senha123 senha1234 senha12345 senha123456 minhasenha suasenha novasenha mudar123 mudar1234
trocar123 acesso123 acesso12 usuario usuario1 usuario123
brasil brasil1 brasil10 brasil123 brasil2014 flamengo flamengo1 corinthians palmeiras saopaulo santos vasco1
vascodagama gremio internacional cruzeiro botafogo fluminense atletico
deus123 deusefiel deus10 jesus1 jesus123 jesuscristo jesusteamo amor123 teamo1 teamo123 eutea eumeamo
familia familia1 felicidade estrela saudade amizade princesa gatinha gatinho lindinha bonita
gabriel gabriel1 rafael rodrigo fernando fernanda juliana camila mariana leonardo eduardo marcelo
123mudar fazenda fazenda1 agro123 agronomia agronomo soja123 milho123 ensaio ensaio1 ensaio123
`

const COMMON = new Set(WORDS.trim().split(/\s+/))

export const isCommonPassword = (password: string): boolean => COMMON.has(password.toLowerCase())
