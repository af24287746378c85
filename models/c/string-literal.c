// expect: unsafe --property memory
// expect: safe --property memory -DARRAY
//
// A string literal may not be written; an array that was initialised with one may.

#ifdef ARRAY
char word[] = "heddle";
#else
char *word = "heddle";
#endif

int main(void) {
    word[0] = 'H';
    return 0;
}
