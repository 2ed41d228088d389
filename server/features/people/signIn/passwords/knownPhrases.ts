/** Attackers try sentences that everybody knows as a whole; the dictionaries hold only their words. */
export const KNOWN_PHRASES = `correct horse battery staple
the quick brown fox jumps over the lazy dog
the quick brown fox
to be or not to be that is the question
to be or not to be
may the force be with you
all your base are belong to us
winter is coming
once upon a time
live long and prosper
it was a dark and stormy night
i think therefore i am
in the beginning
the answer is forty two
all you need is love
let me in please
open sesame
you shall not pass
never gonna give you up
never gonna let you down
lorem ipsum dolor sit amet
i love you so much
i love you forever
i am the best in the world
i am the best
god is good all the time
the best in the world
this is my password
what is my password
my password is
nobody knows this
dont forget this
i dont know
i forgot my password
hello world
welcome to the jungle
twinkle twinkle little star
somewhere over the rainbow
somewhere over the
jesus loves me
in god we trust
our father who art in heaven
the lord is my shepherd
we are the champions
you only live once
what the fuck
fuck you
sein oder nicht sein
ich liebe dich
ich liebe dich so sehr
ich liebe dich über alles
das ist mein passwort
mein passwort ist
mein passwort
so sehr
was ist das
ich weiß es nicht
ich habe es vergessen
keine ahnung
aller guten dinge sind drei
ende gut alles gut
morgenstund hat gold im mund
franz jagt im komplett verwahrlosten taxi
fischers fritz fischt frische fische
alle meine entchen
hänschen klein
einigkeit und recht und freiheit
vater unser im himmel
guten morgen
guten tag
gott sei dank`
  .split('\n')
  .map((phrase) => phrase.replaceAll(' ', ''))
